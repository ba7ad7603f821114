import { Form } from "react-router";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import type { ChecklistTexts } from "./checklist-items.ts";

/** Tasks of an admin on the home page, until all are done or the list is dismissed. */
export function SetupChecklist({ texts }: { texts: ChecklistTexts }) {
  const { title, dismiss, done, sendTest, items } = texts;
  return (
    <section aria-labelledby="setup-checklist" className="panel mb-6 p-4">
      <h2 id="setup-checklist" className="font-serif text-large font-semibold">
        {title}
      </h2>
      <ul className="mt-1">
        {items.map(({ isDone, name, to, hint }) => (
          <li key={name} className="flex min-h-11 items-center gap-3 border-b border-line py-2">
            {isDone ? (
              <i className="icon icon-circle-check size-5 text-accent" role="img" aria-label={done} />
            ) : (
              <span className="size-5 flex-none rounded-full border-2 border-quiet" />
            )}
            <div className="min-w-0">
              {isDone || !to ? <span className="text-quiet">{name}</span> : <Link to={to}>{name}</Link>}
              {hint && <p className="text-small text-quiet">{hint}</p>}
            </div>
          </li>
        ))}
      </ul>
      <Form method="post" action={urls.setupChecklist()} className="mt-3 flex flex-wrap gap-2">
        {sendTest && <ChecklistButton intent="test-email">{sendTest}</ChecklistButton>}
        <ChecklistButton intent="dismiss">{dismiss}</ChecklistButton>
      </Form>
    </section>
  );
}

const ChecklistButton = ({ intent, children }: { intent: string; children: string }) => (
  <button type="submit" name="intent" value={intent} className="button" data-kind="plain">
    {children}
  </button>
);
