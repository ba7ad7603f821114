import { numberFormat } from "../../ui/text/intl-formats.ts";

const formatUnit = (locale: string, unit: string, n: number, options?: Intl.NumberFormatOptions) =>
  numberFormat(locale, {
    style: "unit",
    unit,
    maximumFractionDigits: Math.abs(n) < 10 ? 1 : 0,
    ...options,
  }).format(n);

export const formatBytes = (locale: string, n: number, options?: Intl.NumberFormatOptions): string => {
  const size = Math.abs(n);
  return size < 1e6
    ? formatUnit(locale, "kilobyte", n / 1e3, options)
    : size < 1e9
      ? formatUnit(locale, "megabyte", n / 1e6, options)
      : formatUnit(locale, "gigabyte", n / 1e9, options);
};

export const formatDuration = (
  locale: string,
  minutes: number,
  options?: Intl.NumberFormatOptions,
): string => {
  const size = Math.abs(minutes);
  return size < 60
    ? formatUnit(locale, "minute", minutes, options)
    : size < 48 * 60
      ? formatUnit(locale, "hour", minutes / 60, options)
      : formatUnit(locale, "day", minutes / (24 * 60), options);
};
