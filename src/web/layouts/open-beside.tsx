import { useWords } from "../words/index.ts";

/** What stands beside the page on wide screens, by its id. */
export const BESIDE = "beside";

/** Opens it where there is no room beside the page, with scripts and without; `label` names what it is. */
export function OpenBeside({ label }: { label: string }) {
  const t = useWords();
  return (
    <button type="button" popoverTarget={BESIDE} aria-label={label} className="button -my-2 wide:hidden" data-kind="quiet">
      <i className="icon icon-messages-square size-4" />
      {t("Discussions")}
    </button>
  );
}

/** Within it: who cannot press beside it closes it here. */
export function CloseBeside() {
  const t = useWords();
  return (
    <button
      type="button"
      popoverTarget={BESIDE}
      popoverTargetAction="hide"
      className="button float-end -my-2 wide:hidden"
      data-kind="quiet"
    >
      {t("Close")}
    </button>
  );
}
