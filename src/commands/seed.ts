import { seedDemoIfEmpty, withAppContext } from "../app/app.ts";

/** `npm run seed`: fills an empty database with the demo community; prints a notice when it is not empty. */
await withAppContext(async (app, { password, print }) => {
  if (await seedDemoIfEmpty(app, password, print)) return;
  print("This database already contains a community. The demo community needs an empty one.");
  process.exitCode = 1;
});
