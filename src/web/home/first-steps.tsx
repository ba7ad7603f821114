import { Link } from "../ui/navigation/link.tsx";
import type { FirstStepTexts } from "./make-first-steps.ts";

export const FirstSteps = ({ title, steps }: FirstStepTexts) => (
  <section aria-label={title} className="mb-6">
    <ul className="grid gap-3 phone:grid-cols-3">
      {steps.map(({ to, icon, name, why }) => (
        <li key={name} className="panel relative p-4">
          <i className={`icon ${icon} size-5.5 text-accent`} />
          <h2 className="mt-2 font-serif text-read font-semibold">
            <Link to={to} className="text-ink after:absolute after:inset-0">
              {name}
            </Link>
          </h2>
          <p className="text-small text-quiet">{why}</p>
        </li>
      ))}
    </ul>
  </section>
);
