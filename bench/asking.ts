import autocannon from "autocannon";

/** The part of a client that gathers what an answer says. */
type Client = { pipelinedRequests: { addBody: (bytes: Buffer) => void } };

/**
 * Sixteen clients who ask as fast as they are answered, for so many seconds. What they are sent is counted and not read: autocannon 9 makes a text
 * of each body, which for a page that is compressed takes it 0.2 ms, four times what the house takes to send a page that it keeps.
 */
export const ask = (seconds: number, requests: autocannon.Options): Promise<autocannon.Result> =>
  autocannon({
    connections: 16,
    duration: seconds,
    setupClient: (client) => void ((client as unknown as Client).pipelinedRequests.addBody = () => {}),
    ...requests,
  });
