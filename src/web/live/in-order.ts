/** For what is asked again before its answer has come: each asking gets a way to find whether an answer to a later one was there first. */
export function inOrder(): () => () => boolean {
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
