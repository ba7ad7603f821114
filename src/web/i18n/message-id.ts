/** Key of a text in the catalogues. A context separates meanings that are one word in English only. */
export const messageId = (text: string, context?: string): string =>
  context === undefined ? text : `${context}|${text}`;
