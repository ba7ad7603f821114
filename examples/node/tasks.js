// A Node program that uses a Kith server through the published client. README.md beside it says how to start
// it.
import Backendless from "backendless";

const {
  KITH_URL = "http://localhost:3000",
  KITH_LOGIN = "gardener@example.org",
  KITH_PASSWORD = "seven brown hens",
} = process.env;

Backendless.initApp(KITH_URL);
const tasks = Backendless.Data.of("Tasks");

/** Signs in, or registers when there is no such account. */
async function comeIn() {
  const signIn = () => Backendless.UserService.login(KITH_LOGIN, KITH_PASSWORD);
  try {
    return await signIn();
  } catch (refused) {
    // 3003: wrong login or password. The address is known, with another password.
    if (refused.code !== 3003) throw refused;
    await Backendless.UserService.register({
      email: KITH_LOGIN,
      password: KITH_PASSWORD,
      name: "Gil the gardener",
    });
    return signIn();
  }
}

/** The first events on the table and on the channel, from anyone. */
const heardOn = (channel) => ({
  task: new Promise((heard, failed) => tasks.rt().addCreateListener("done = false", heard, failed)),
  message: new Promise((heard) => channel.addMessageListener(heard)),
});

const me = await comeIn();
console.log(`Signed in as ${me.name}.`);

// The first object saved to it creates the table.
const first = await tasks.save({ title: "Water the beans", done: false, minutes: 20 });
console.log(`Saved: ${first.title}.`);

const short = Backendless.DataQueryBuilder.create()
  .setWhereClause("done = false and minutes <= 30")
  .setSortBy("created desc")
  .setPageSize(5);
for (const { title, minutes } of await tasks.find(short)) console.log(`Open: ${title}, ${minutes} minutes.`);

const channel = Backendless.Messaging.subscribe("garden");
const heard = heardOn(channel);
// A command to everyone on the channel. Its response comes after earlier subscriptions are active: from then
// on nothing is missed.
await channel.send("here", { name: me.name });
const { objectId } = await tasks.save({ title: "Feed the peas", done: false, minutes: 5 });
console.log(`Live: ${(await heard.task).title}.`);

// Everything that pages can do is a service: the server's /api/docs lists them.
await Backendless.CustomServices.invoke("Users", "updateProfile", { location: "The garden" });
console.log("Called: Users.updateProfile.");

await Backendless.Messaging.publish("garden", "The peas are fed.");
console.log(`Heard on the channel: ${(await heard.message).message}`);

await tasks.save({ objectId, done: true });
console.log(`Left to do: ${await tasks.getObjectCount("done = false")}.`);

await Backendless.UserService.logout();
Backendless.RT.disconnect();
