/** Matches mail addresses, plain and URL-encoded. */
const MAIL = /[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/gi;

/** Returns the secrets that occur in the text of a log, and every mail address in it. */
export const findSecrets = (log: string, secrets: Iterable<string>): string[] => [
  ...[...new Set(secrets)].filter((it) => log.includes(it)),
  ...(log.match(MAIL) ?? []),
];
