/**
 * Orders responses when requests are repeated before the last response has arrived. Each request gets a
 * function that returns whether its response is newer than those that arrived before.
 */
export function createResponseOrder(): () => () => boolean {
  let asked = 0;
  let latest = 0;
  return () => {
    const turn = ++asked;
    return () => {
      const isNews = turn > latest;
      latest = Math.max(latest, turn);
      return isNews;
    };
  };
}
