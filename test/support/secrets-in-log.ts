/** Mail addresses as they are written, and as they stand in the address of a request. */
const MAIL = /[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/gi;

/** Which of the secrets occur in the text of a log, and every mail address in it. */
export const findSecrets = (log: string, secrets: Iterable<string>): string[] => [
  ...[...new Set(secrets)].filter((it) => log.includes(it)),
  ...(log.match(MAIL) ?? []),
];
