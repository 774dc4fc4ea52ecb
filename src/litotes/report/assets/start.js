/* Everything is begun here; an address with a view in it leads to that view. */

const views = {};

function readView() {
  const state = new URLSearchParams(location.hash.slice(1));
  const name = state.get("view");
  if (!Object.hasOwn(views, name ?? "")) return;
  views[name](state);
  byId(name).scrollIntoView({ block: "start" });
  byId(`${name}-name`).focus({ preventScroll: true });
}

if (data.suites.length) {
  startBrowser();
  views.profile = startProfile();
  views.compare = startCompare();
  views.errors = startErrors();
  globalThis.addEventListener("hashchange", readView);
  if (location.hash.includes("view=")) readView();
}
