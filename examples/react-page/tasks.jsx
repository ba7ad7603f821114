import { useEffect, useReducer, useState } from "react";
import Backendless from "backendless";

const table = () => Backendless.Data.of("Tasks");
const byAge = (a, b) => b.created - a.created;

/** The tasks of everybody as they are now, and a way to look again: where nobody has saved a task yet, there is no table to follow. */
function useTasks() {
  const [tasks, setTasks] = useState([]);
  const [round, lookAgain] = useReducer((n) => n + 1, 0);
  useEffect(() => {
    const rt = table().rt();
    const channel = Backendless.Messaging.subscribe("tasks");
    const put = (task) =>
      setTasks((all) => [task, ...all.filter(({ objectId }) => objectId !== task.objectId)].sort(byAge));
    const take = ({ objectId }) => setTasks((all) => all.filter((it) => it.objectId !== objectId));
    const newest = Backendless.DataQueryBuilder.create().setSortBy("created desc").setPageSize(100);
    const noTableYet = () => {};
    rt.addCreateListener(put, noTableYet);
    rt.addUpdateListener(put, noTableYet);
    rt.addDeleteListener(take, noTableYet);
    // With the first line and after each break: a command is answered when all that was asked for before has begun. What is read then and
    // told from then on is everything.
    channel.addConnectListener(async () => {
      await channel.send("here", {});
      table().find(newest).then(setTasks, noTableYet);
    });
    return () => {
      rt.removeCreateListeners();
      rt.removeUpdateListeners();
      rt.removeDeleteListeners();
      channel.leave();
    };
  }, [round]);
  return [tasks, lookAgain];
}

export function Tasks({ me }) {
  const [tasks, lookAgain] = useTasks();
  const [refused, setRefused] = useState(null);
  const say = (work) =>
    work.then(
      () => setRefused(null),
      ({ message }) => setRefused(message),
    );
  async function add(form) {
    await say(table().save({ title: form.get("title"), done: false }));
    if (tasks.length === 0) lookAgain();
  }
  return (
    <>
      <p>Signed in as {me.name}.</p>
      <form action={add}>
        <label>
          What is to be done <input name="title" maxLength={200} required />
        </label>
        <button>Add</button>
      </form>
      {refused && <p role="alert">{refused}</p>}
      <ul aria-label="Tasks">
        {tasks.map((task) => (
          <Task key={task.objectId} task={task} say={say} />
        ))}
      </ul>
    </>
  );
}

function Task({ task, say }) {
  const { objectId, title, done } = task;
  return (
    <li className={done ? "done" : ""}>
      <label>
        <input type="checkbox" checked={done} onChange={() => say(table().save({ objectId, done: !done }))} />
        <span>{title}</span>
      </label>
      <button onClick={() => say(table().remove(task))} aria-label={`Remove ${title}`}>
        Remove
      </button>
    </li>
  );
}
