import { z } from "zod";
import { usernames } from "#community/common";
import { LIMITS } from "#community/rules";

/** Usernames of hosts. */
export const hostNames = usernames.pipe(
  z.array(z.string()).max(LIMITS.event.hosts, "An event has at most {count, number} hosts."),
);
