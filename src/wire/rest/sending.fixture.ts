/** Whatever is sent to Google goes to a counterpart at this address, with the host that it was meant for. */
export const sendingTo =
  (counterpart: string, send = globalThis.fetch): typeof fetch =>
  (input, init) => {
    const { host, pathname, search } = new URL(input instanceof Request ? input.url : String(input));
    const headers = new Headers(init?.headers);
    headers.set("x-host", host);
    return send(`${counterpart}${pathname}${search}`, { ...init, headers });
  };
