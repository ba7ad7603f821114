/** Maximum number of cached formatters. Creating one takes a hundred times as long as using it. */
const MAX_FORMATTERS = 300;
const formatters = new Map<string, unknown>();

function cachedFormatter<F>(key: string, make: () => F): F {
  const known = formatters.get(key);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each key names the kind of its formatter
  if (known) return known as F;
  if (formatters.size >= MAX_FORMATTERS) formatters.clear();
  const fresh = make();
  formatters.set(key, fresh);
  return fresh;
}

export const dateFormat = (locale: string, options: Intl.DateTimeFormatOptions) =>
  cachedFormatter(
    `date ${locale} ${JSON.stringify(options)}`,
    () => new Intl.DateTimeFormat(locale, options),
  );

/**
 * Maximum number of formatted dates cached per locale and time zone: the dates of a page often occur on the
 * next one too.
 */
const MAX_CACHED_DATES = 2_000;

/** Formats a date with weekday and time, to the minute. */
export function formatDateTime(at: Date, locale: string, timeZone?: string): string {
  const { texts, format } = cachedFormatter(`exact ${locale} ${timeZone}`, () => ({
    texts: new Map<number, string>(),
    format: new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short", timeZone }),
  }));
  const known = texts.get(at.getTime());
  if (known !== undefined) return known;
  if (texts.size >= MAX_CACHED_DATES) texts.clear();
  const text = format.format(at);
  texts.set(at.getTime(), text);
  return text;
}

export const numberFormat = (locale: string, options: Intl.NumberFormatOptions = {}) =>
  cachedFormatter(
    `number ${locale} ${JSON.stringify(options)}`,
    () => new Intl.NumberFormat(locale, options),
  );

export const relativeFormat = (locale: string, style: "short" | "long" = "short") =>
  cachedFormatter(
    `relative ${locale} ${style}`,
    () => new Intl.RelativeTimeFormat(locale, { numeric: "auto", style }),
  );

export const listFormat = (locale: string) =>
  cachedFormatter(`list ${locale}`, () => new Intl.ListFormat(locale));
