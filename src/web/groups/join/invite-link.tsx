import { Button } from "../../ui/index.ts";
import { useClipboard } from "../../ui/hooks/use-clipboard.ts";
import { useTranslate } from "../../i18n/index.ts";

type InviteLinkProps = { label: string; link: string; qr: string };

/** An invite link to copy or scan. Without scripts it is selected by hand. */
export function InviteLink({ label, link, qr }: InviteLinkProps) {
  const t = useTranslate();
  const { copied, copy } = useClipboard();
  return (
    <div className="flex flex-wrap items-start gap-4">
      <div className="min-w-0 flex-1 basis-64">
        <label htmlFor="made" className="font-semibold">
          {label}
        </label>
        <div className="mt-2 flex flex-wrap gap-2">
          <input
            id="made"
            readOnly
            value={link}
            dir="ltr"
            className="input min-w-0 flex-1 basis-40"
            onFocus={(event) => event.currentTarget.select()}
          />
          {copy && (
            <Button onClick={() => copy(link)}>
              <i className={copied ? "icon icon-check size-4" : "icon icon-link-2 size-4"} />
              {copied ? t("Copied") : t("Copy link")}
            </Button>
          )}
        </div>
        <p className="mt-2 text-small text-quiet">{t("People next to you can scan the code.")}</p>
      </div>
      <div
        role="img"
        aria-label={t("QR code of the link")}
        className="w-40 flex-none rounded-control bg-[#fff] p-1 [&_svg]:block [&_svg]:h-auto [&_svg]:w-full"
        dangerouslySetInnerHTML={{ __html: qr }}
      />
    </div>
  );
}
