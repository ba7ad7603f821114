/** Whether this device has a network at all. That there is one does not say that the community can be reached by it. */
export const hasNetwork = () => navigator.onLine;

/** What an error is called that only says that a page could not be fetched. */
export const UNREACHABLE = "Unreachable";
export const isUnreachable = (error: unknown) => error instanceof Error && error.name === UNREACHABLE;

/** Resolves once there is a network; at once where there is one. Rejects with the signal's reason when that is given up before. */
export function network(signal?: AbortSignal): Promise<void> {
  if (hasNetwork()) return Promise.resolve();
  return new Promise((back, givenUp) => {
    const ended = new AbortController();
    const end = (then: () => void) => () => {
      ended.abort();
      then();
    };
    addEventListener("online", end(back), { signal: ended.signal });
    signal?.addEventListener(
      "abort",
      end(() => givenUp(signal.reason as Error)),
      { signal: ended.signal },
    );
  });
}
