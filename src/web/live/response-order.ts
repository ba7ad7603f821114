/**
 * For requests repeated before the last response has come: each request gets a function that returns whether
 * its response is newer than those that came before.
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
