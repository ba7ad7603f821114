import DataLoader from "dataloader";

/** What is asked for while the last answer is under way, answered together. */
export type Gathering<Question, Answer> = DataLoader<Question, Answer>;

/** So many that one statement takes. */
const MOST = 100;

/**
 * Answers together what is asked at the same time, in the order of the questions; an `Error` among the answers is for whom it concerns, and
 * one that is thrown for all. Nobody waits who is alone, and nothing is remembered.
 */
export function gathering<Question, Answer>(
  work: (questions: readonly Question[]) => Promise<(Answer | Error)[]>,
): Gathering<Question, Answer> {
  const turn = inTurn();
  return new DataLoader((questions) => turn.take(work(questions)), { cache: false, maxBatchSize: MOST, batchScheduleFn: turn.wait });
}

/** One after the other: what comes while one is under way waits for its end, and is as many as have come by then. */
function inTurn() {
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
