/* Requests to the server. The token arrives in the URL, moves to the tab's session storage and is sent as a header. */

const KEPT = "litotes-token";

const address = new URL(location.href);
export const startName = address.searchParams.get("as");
if (address.searchParams.has("token")) {
  sessionStorage.setItem(KEPT, address.searchParams.get("token"));
  history.replaceState(null, "", address.pathname + address.hash);
}

export class Refused extends Error {}
export class Unreachable extends Error {}

export async function ask(path, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const query = new URLSearchParams(given).toString();
  return answer(`api/${path}${query ? `?${query}` : ""}`, {});
}

/* Requests have ids, so that repeating one after a lost response has no further effect. */
export async function send(path, body) {
  const request = body.request ?? newRequest();
  return answer(`api/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...body, request }),
  });
}

export function newRequest() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function answer(path, options) {
  let response;
  try {
    response = await fetch(path, {
      ...options,
      credentials: "omit",
      cache: "no-store",
      headers: { ...options.headers, "X-Litotes-Token": sessionStorage.getItem(KEPT) ?? "" },
    });
  } catch {
    throw new Unreachable("the server does not answer");
  }
  let content;
  try {
    content = await response.json();
  } catch {
    throw new Refused(`the server answered ${response.status}`);
  }
  if (!response.ok) throw new Refused(content.error ?? `the server answered ${response.status}`);
  return content;
}
