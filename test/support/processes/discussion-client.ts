import { formBody, type ServerProcess } from "./server-process.ts";

type SignedInClient = { server: ServerProcess; cookie: string };

/**
 * Creates functions that read and write a discussion over HTTP. `client` is called for each request, because
 * a server may have restarted.
 */
export function createDiscussionClient(client: () => SignedInClient) {
  const fetchPage = (path: string, more: RequestInit = {}) =>
    fetch(client().server.url + path, {
      redirect: "manual",
      headers: { cookie: client().cookie, accept: "text/html" },
      ...more,
    });

  /** Returns the path of a discussion in which the signed-in person may write. */
  async function findDiscussion(): Promise<string> {
    const html = await (await fetchPage("/?tab=latest")).text();
    for (const [path] of html.matchAll(/\/discussions\/[0-9a-f-]{36}/g))
      if ((await (await fetchPage(path)).text()).includes('name="clientId"')) return path;
    throw new Error("There is no discussion to write in.");
  }

  const reply = (path: string, body: string) =>
    fetch(`${client().server.url}${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie: client().cookie },
      body: formBody({ intent: "reply", body, clientId: crypto.randomUUID() }),
    });

  /** Returns the `words` that the discussion shows now. */
  async function findWords(path: string, words: string[]): Promise<string[]> {
    const first = await (await fetchPage(`${path}?page=1`)).text();
    const pages = Math.max(1, ...[...first.matchAll(/page=(\d+)/g)].map((match) => Number(match[1])));
    const all = await Promise.all(
      Array.from({ length: pages + 1 }, async (_, n) => (await fetchPage(`${path}?page=${n + 1}`)).text()),
    );
    return words.filter((word) => all.some((html) => html.includes(word)));
  }

  return { fetchPage, findDiscussion, reply, findWords };
}
