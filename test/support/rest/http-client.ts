/** Redirects requests to Google to a stand-in at this address. The request still names the original host. */
export const redirectGoogleTo =
  (counterpart: string, send = globalThis.fetch): typeof fetch =>
  (input, init) => {
    const { host, pathname, search } = new URL(input instanceof Request ? input.url : String(input));
    const headers = new Headers(init?.headers);
    headers.set("x-host", host);
    return send(`${counterpart}${pathname}${search}`, { ...init, headers });
  };
