import type { ReactNode } from "react";

/** Header of a small page with one task. */
export const StepHeading = ({ title, children }: { title: string; children?: ReactNode }) => (
  <header className="mb-5">
    <h1 className="font-serif text-title font-semibold">{title}</h1>
    {children && <div className="mt-2 grid gap-2 text-quiet">{children}</div>}
  </header>
);
