import { z } from "zod";
import { endOfDay } from "../dates-and-numbers.ts";

/**
 * Sets the closing time of a poll to the end of the chosen day in its author's time zone. An invalid date is
 * left for the command to refuse.
 */
export function setPollClosingTime(form: FormData, timeZone: string): void {
  const day = form.get("pollCloses");
  if (z.iso.date().startsWith("2").safeParse(day).success)
    form.set("pollCloses", endOfDay(String(day), timeZone).toISOString());
}
