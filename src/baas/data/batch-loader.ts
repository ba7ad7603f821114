import DataLoader from "dataloader";

/** Batches calls that arrive while the previous batch is running. */
export type BatchLoader<Question, Answer> = DataLoader<Question, Answer>;

/** Questions per statement. */
const MAX_BATCH = 100;

/**
 * Answers concurrent questions in batches, in order. An `Error` among the answers rejects its question; a
 * thrown one rejects all. A lone question does not wait, and nothing is cached.
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

/** Runs one batch at a time; questions that arrive meanwhile form the next. */
function createBatchQueue() {
  let underWay: Promise<unknown> | null = null;
  return {
    wait: (begin: () => void) => void (underWay ? underWay.then(begin, begin) : setImmediate(begin)),
    take: <T>(working: Promise<T>): Promise<T> => {
      underWay = working;
      const ended = () => {
        if (underWay === working) underWay = null;
      };
      working.then(ended, ended);
      return working;
    },
  };
}
