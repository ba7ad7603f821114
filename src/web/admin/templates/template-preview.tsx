import { Form } from "react-router";
import { Button, Notice, SubmitButton, TextField } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { TemplateData } from "./template-page.tsx";

/** Preview of a template with the given values, and a form with which admins send it to themselves. */
export function TemplatePreview({ data: { places, values, shown, own, tried } }: { data: TemplateData }) {
  const t = useTranslate();
  return (
    <section aria-labelledby="preview" className="border-t border-line py-6">
      <h2 id="preview" className="mb-3 font-serif text-large font-semibold">
        {t("Preview")}
      </h2>
      <Form method="get" className="mb-6 grid max-w-xl gap-3" preventScrollReset>
        {places.length > 0 && (
          <p className="text-small text-quiet">{t("Empty values keep their placeholder.")}</p>
        )}
        {places.map((name) => (
          <TextField
            key={name}
            name={`v.${name}`}
            label={`{${name}}`}
            defaultValue={values[name]}
            maxLength={1_000}
            dir="auto"
            autoComplete="off"
          />
        ))}
        <div className="flex flex-wrap gap-2">
          {places.length > 0 && <SubmitButton busy="…">{t("Preview with these values")}</SubmitButton>}
          <Button type="submit" formMethod="post" name="intent" value="try" disabled={own === null}>
            {t("Send to me")}
          </Button>
        </div>
        {tried && own !== null ? (
          <Notice tone="good">{t("Sending to {address}.", { address: own })}</Notice>
        ) : (
          <p className="text-small text-quiet">
            {own === null
              ? t("Your account has no email address.")
              : t("Recipient: {address}.", { address: own })}
          </p>
        )}
      </Form>
      <p className="mb-3 font-semibold break-words" dir="auto" data-testid="shown-subject">
        {shown.subject}
      </p>
      {shown.text !== "" && (
        <>
          <h3 className="mb-1 text-base font-semibold">{t("Plain text")}</h3>
          <pre
            className="panel mb-6 p-4 font-sans break-words whitespace-pre-wrap"
            dir="auto"
            data-testid="shown-text"
          >
            {shown.text}
          </pre>
        </>
      )}
      {shown.html !== "" && (
        <>
          <h3 className="mb-1 text-base font-semibold">{t("HTML")}</h3>
          {/* The sandbox allows no scripts or forms and not our origin; links open in a new window. */}
          <iframe
            title={t("Email as HTML")}
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            srcDoc={`<base target="_blank">${shown.html}`}
            className="h-[26rem] w-full rounded-panel border border-line bg-[#fff]"
          />
        </>
      )}
    </section>
  );
}
