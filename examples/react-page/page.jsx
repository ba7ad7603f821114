// A page of its own on another address: a list of tasks that all who look at it see change.
import { createRoot } from "react-dom/client";
import { useState } from "react";
import { Tasks } from "./tasks.jsx";
import Backendless from "backendless";

Backendless.initApp(import.meta.env.VITE_KITH_URL ?? "http://localhost:3000");

function Page() {
  const [me, setMe] = useState(null);
  return (
    <>
      <h1>Tasks</h1>
      {me ? <Tasks me={me} /> : <SignIn onSignedIn={setMe} />}
    </>
  );
}

function SignIn({ onSignedIn }) {
  const [refused, setRefused] = useState(null);
  async function signIn(form) {
    try {
      onSignedIn(await Backendless.UserService.login(form.get("login"), form.get("password")));
    } catch ({ message }) {
      setRefused(message);
    }
  }
  return (
    <form action={signIn}>
      <label>
        Name or address <input name="login" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button>Sign in</button>
      {refused && <p role="alert">{refused}</p>}
    </form>
  );
}

createRoot(document.querySelector("#page")).render(<Page />);
