import autocannon from "autocannon";
import { readPrivateField } from "#platform/objects";

/** The part of autocannon's client that collects response bodies. */
type BodyCollector = { addBody: (bytes: Buffer) => void };

/**
 * Runs sixteen clients for `seconds`; each sends its next request as soon as it has a response. Responses
 * are counted and not read: autocannon 9 makes a string of each body, which takes 0.2 ms for a compressed
 * page, four times as long as the server needs to send a cached page.
 */
export const runLoad = (seconds: number, requests: autocannon.Options): Promise<autocannon.Result> =>
  autocannon({
    connections: 16,
    duration: seconds,
    setupClient: (client) =>
      void (readPrivateField<BodyCollector>(client, "pipelinedRequests").addBody = () => {}),
    ...requests,
  });
