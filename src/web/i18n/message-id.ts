/**
 * Returns the key of a text in the catalogues. The context distinguishes meanings that share one word in
 * English but not in other languages.
 */
export const messageId = (text: string, context?: string): string =>
  context === undefined ? text : `${context}|${text}`;
