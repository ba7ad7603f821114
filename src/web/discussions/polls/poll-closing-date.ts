import { z } from "zod";
import { endOfDay } from "../dates-and-numbers.ts";

/**
 * A poll closes at the end of the chosen day in its author's time zone. An invalid date stays as it is, to be
 * refused.
 */
export function setPollClosingTime(form: FormData, timeZone: string): void {
  const day = form.get("pollCloses");
  if (z.iso.date().startsWith("2").safeParse(day).success)
    form.set("pollCloses", endOfDay(String(day), timeZone).toISOString());
}
