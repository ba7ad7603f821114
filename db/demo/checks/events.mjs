import { datePolls, events, checkPerson } from "./demo-files.mjs";
import { joined } from "./groups.mjs";
import { D } from "./discussions.mjs";
import { checkLength, reportError } from "./report.mjs";

for (const it of events) {
  const w = `events/${it.discussion}`;
  if (D[it.discussion]?.slug !== it.group) reportError(w, "discussion is in another group");
  checkLength(w, it.title, 5, 120);
  checkLength(w, it.place, 0, 200);
  if (!(it.weekday >= 1 && it.weekday <= 7)) reportError(w, "weekday");
  if (!/^\d\d:\d\d$/.test(it.starts)) reportError(w, "starts");
  const people = [...it.going, ...it.maybe, ...it.waiting, ...it.declined];
  for (const u of [it.host, ...people]) {
    checkPerson(w, u);
    if (!(u in joined[it.group])) reportError(w, `${u} is not a member`);
  }
  if (new Set(people).size !== people.length) reportError(w, "two answers of one person");
  if (it.waiting.length > 0 && it.going.length !== it.capacity) reportError(w, "waiting for free places");
  if (it.except && !it.weeks.includes(it.except.week)) reportError(w, "except");
  if (it.moved && !it.weeks.includes(it.moved.week)) reportError(w, "moved");
}

for (const it of datePolls) {
  const w = `date-polls/${it.title}`;
  checkLength(w, it.title, 5, 120);
  for (const u of [it.host, ...Object.keys(it.answers)]) {
    checkPerson(w, u);
    if (!(u in joined[it.group])) reportError(w, `${u} is not a member`);
  }
  for (const answers of Object.values(it.answers))
    if (answers.length !== it.times.length) reportError(w, "answers for other times");
}
