import type { ReactNode } from "react";
import { useWords } from "../../words/index.ts";
import { refusedIn } from "../faults.tsx";
import { Heading } from "./heading.tsx";

/** Whether a link has been used or has expired, or lacks its token. */
export const isSpent = (token: string, answer: unknown) => token === "" || refusedIn(answer)?.refused.reason === "gone";

/** Explains why an emailed link does not work, and offers a new one. */
export function SpentLink({ children }: { children: ReactNode }) {
  const t = useWords();
  return (
    <>
      <Heading title={t("This link does not work any more")}>
        <p>{t("It has been used already, a newer one has replaced it, or it is too old. Nothing is lost: a new link is quickly sent.")}</p>
      </Heading>
      <div className="flex flex-wrap gap-2">{children}</div>
    </>
  );
}
