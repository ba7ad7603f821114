import { seedDemoIfEmpty, withAppContext } from "../app/app.ts";

/** `npm run seed`: fills an empty database with the demo community; prints a notice when it is not empty. */
await withAppContext(async (app, { password, say }) => {
  if (await seedDemoIfEmpty(app, password, say)) return;
  say("There is a community in this database already. The demo community only moves into an empty one.");
  process.exitCode = 1;
});
