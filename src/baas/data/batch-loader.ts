import DataLoader from "dataloader";

/** Collects calls that arrive while a batch is running and runs them as the next batch. */
export type BatchLoader<Question, Answer> = DataLoader<Question, Answer>;

/** Maximum requests per statement. */
const MAX_BATCH = 100;

/**
 * Creates a loader that answers concurrent requests in batches. Answers are in the order of the requests; an
 * `Error` among them rejects only its request, a thrown error rejects all. A single request does not wait,
 * and nothing is cached.
 */
export function createBatchLoader<Question, Answer>(
  work: (questions: readonly Question[]) => Promise<(Answer | Error)[]>,
): BatchLoader<Question, Answer> {
  const turn = createBatchQueue();
  return new DataLoader((questions) => turn.take(work(questions)), {
    cache: false,
    maxBatchSize: MAX_BATCH,
    batchScheduleFn: turn.wait,
  });
}

/** Creates a queue that runs one batch at a time; requests that arrive meanwhile form the next batch. */
function createBatchQueue() {
  let running: Promise<unknown> | null = null;
  return {
    wait: (begin: () => void) => void (running ? running.then(begin, begin) : setImmediate(begin)),
    take: <T>(working: Promise<T>): Promise<T> => {
      running = working;
      const ended = () => {
        if (running === working) running = null;
      };
      working.then(ended, ended);
      return working;
    },
  };
}
