import { fill, withHouse } from "../app.ts";

/** `npm run seed`: fills an empty database with the demo community; prints a notice when it is not empty. */
await withHouse(async (house, { password, say }) => {
  if (await fill(house, password, say)) return;
  say("There is a community in this database already. The demo community only moves into an empty one.");
  process.exitCode = 1;
});
