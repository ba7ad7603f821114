// A program in Node that uses a Kith server by the client as it is published. README.md beside it says how to start it.
import Backendless from "backendless";

const { KITH_URL = "http://localhost:3000", KITH_LOGIN = "gardener@example.org", KITH_PASSWORD = "seven brown hens" } = process.env;

Backendless.initApp(KITH_URL);
const tasks = Backendless.Data.of("Tasks");

/** Signs in, and up if there is nobody of that name yet. */
async function comeIn() {
  const signIn = () => Backendless.UserService.login(KITH_LOGIN, KITH_PASSWORD);
  try {
    return await signIn();
  } catch (refused) {
    // 3003: the login or the password. Whoever is known by this address has another password then.
    if (refused.code !== 3003) throw refused;
    await Backendless.UserService.register({ email: KITH_LOGIN, password: KITH_PASSWORD, name: "Gil the gardener" });
    return signIn();
  }
}

/** What is heard first on the table and on a channel, whoever said it. */
const heardOn = (channel) => ({
  task: new Promise((heard, failed) => tasks.rt().addCreateListener("done = false", heard, failed)),
  message: new Promise((heard) => channel.addMessageListener(heard)),
});

const me = await comeIn();
console.log(`Signed in as ${me.name}.`);

// A table is made by the first object that is saved to it.
const first = await tasks.save({ title: "Water the beans", done: false, minutes: 20 });
console.log(`Saved: ${first.title}.`);

const short = Backendless.DataQueryBuilder.create()
  .setWhereClause("done = false and minutes <= 30")
  .setSortBy("created desc")
  .setPageSize(5);
for (const { title, minutes } of await tasks.find(short)) console.log(`Open: ${title}, ${minutes} minutes.`);

const channel = Backendless.Messaging.subscribe("garden");
const heard = heardOn(channel);
// A command to all on the channel. It is answered when all that was asked for before has begun: from then on nothing is missed.
await channel.send("here", { name: me.name });
const { objectId } = await tasks.save({ title: "Feed the peas", done: false, minutes: 5 });
console.log(`Live: ${(await heard.task).title}.`);

// Whatever can be done on the pages is a service: /api/docs of the server lists them.
await Backendless.CustomServices.invoke("Users", "updateProfile", { location: "The garden" });
console.log("Called: Users.updateProfile.");

await Backendless.Messaging.publish("garden", "The peas are fed.");
console.log(`Heard on the channel: ${(await heard.message).message}`);

await tasks.save({ objectId, done: true });
console.log(`Left to do: ${await tasks.getObjectCount("done = false")}.`);

await Backendless.UserService.logout();
Backendless.RT.disconnect();
