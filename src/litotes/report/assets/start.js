/* The entry point. Sections further down are initialised when they come near or when the URL selects one of their views. */

const starts = { profile: startProfile, compare: startCompare, errors: startErrors };
const begun = new Map();

function begin(name) {
  if (!begun.has(name)) begun.set(name, starts[name]());
  return begun.get(name);
}

function readView() {
  const state = new URLSearchParams(location.hash.slice(1));
  const name = state.get("view") ?? "";
  if (!Object.hasOwn(starts, name)) return;
  begin(name)(state);
  byId(name).scrollIntoView({ block: "start" });
  byId(`${name}-name`).focus({ preventScroll: true });
}

if (data.suites.length) {
  startBrowser();
  const near = new IntersectionObserver(
    (entries) => {
      for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
        near.unobserve(target);
        setTimeout(begin, 0, target.id);
      }
    },
    { rootMargin: "1200px" },
  );
  for (const name of Object.keys(starts)) near.observe(byId(name));
  globalThis.addEventListener("hashchange", readView);
  /* A link to the current URL causes no hashchange, but should still lead to its view. */
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#view="]');
    if (link && link.hash === location.hash) readView();
  });
  if (location.hash.includes("view=")) readView();
}
