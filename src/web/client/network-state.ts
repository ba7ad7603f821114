/** Whether this device has a network. The server may still be unreachable. */
export const hasNetwork = () => navigator.onLine;

/** Name of the error for a page that could not be fetched. */
export const UNREACHABLE_ERROR = "Unreachable";
export const isUnreachable = (error: unknown) => error instanceof Error && error.name === UNREACHABLE_ERROR;

/**
 * Resolves when there is a network, at once if there is one already. Rejects with the signal's reason when
 * the signal is aborted.
 */
export function waitForNetwork(signal?: AbortSignal): Promise<void> {
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
      end(() => givenUp(signal.reason)),
      { signal: ended.signal },
    );
  });
}
