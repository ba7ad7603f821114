/** Creating a formatter costs a hundred times as much as using it, so up to this many are cached. */
const MOST = 300;
const made = new Map<string, unknown>();

function kept<F>(key: string, make: () => F): F {
  const known = made.get(key);
  if (known) return known as F;
  if (made.size >= MOST) made.clear();
  const fresh = make();
  made.set(key, fresh);
  return fresh;
}

export const dateFormat = (locale: string, options: Intl.DateTimeFormatOptions) =>
  kept(`date ${locale} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(locale, options));

/** Formatted dates cached per locale and time zone: those on a page often come again on the next one. */
const MOST_MOMENTS = 2_000;

/** Formats a date with weekday and time, to the minute. */
export function exactText(at: Date, locale: string, timeZone?: string): string {
  const { texts, format } = kept(`exact ${locale} ${timeZone}`, () => ({
    texts: new Map<number, string>(),
    format: new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short", timeZone }),
  }));
  const known = texts.get(at.getTime());
  if (known !== undefined) return known;
  if (texts.size >= MOST_MOMENTS) texts.clear();
  const text = format.format(at);
  texts.set(at.getTime(), text);
  return text;
}

export const numberFormat = (locale: string, options: Intl.NumberFormatOptions = {}) =>
  kept(`number ${locale} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(locale, options));

export const relativeFormat = (locale: string, style: "short" | "long" = "short") =>
  kept(`relative ${locale} ${style}`, () => new Intl.RelativeTimeFormat(locale, { numeric: "auto", style }));

export const listFormat = (locale: string) => kept(`list ${locale}`, () => new Intl.ListFormat(locale));
