import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { lineState, onLineState, onNudge } from "../client/live.ts";
import { Soon } from "../live/soon.ts";

/** Milliseconds: several deeds of one moment are read once. */
const SOON = 300;

/**
 * Reads a group's page again when how the viewer stands to a group has changed, or, for those who look after it, who waits
 * before it; and after a break, in which any of that may have been missed.
 */
export function useLiveMembership(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let missed = false;
    // Where there is no line just now there is no page to be had either: it is read when the line is back.
    const soon = new Soon(async () => (lineState() === "open" ? revalidate() : void (missed = true)));
    const stopLooking = onLineState((state) => {
      if (state === "open" && missed) soon.within(SOON);
      missed = state === "lost";
    });
    const stopHearing = onNudge(({ about }) => about === "group" && soon.within(SOON));
    return () => {
      stopLooking();
      stopHearing();
      soon.stop();
    };
  }, [revalidate]);
}
