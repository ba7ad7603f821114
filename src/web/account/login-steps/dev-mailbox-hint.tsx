import { useRootData } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich } from "../../i18n/index.ts";
import { Link } from "../../ui/navigation/link.tsx";

/** Links to the captured mail on machines that send no mail. */
export function DevMailboxHint() {
  const { mailboxOpen } = useRootData();
  if (!mailboxOpen) return null;
  return (
    <p className="hint mt-5">
      <Rich
        text="Email is not sent from this machine: see the <0>development mailbox</0>."
        parts={{ 0: <Link to={urls.mailbox()} /> }}
      />
    </p>
  );
}
