export const queryString = (values: Record<string, string | number | undefined>) => {
  const given = Object.entries(values).filter(
    (pair): pair is [string, string | number] => pair[1] !== undefined && pair[1] !== "",
  );
  return given.length === 0
    ? ""
    : `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`;
};
