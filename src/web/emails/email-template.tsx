import { render } from "@react-email/render";
import type { EmailContent, EmailPart } from "#platform/mail";
import { textDirection } from "../i18n/locales.ts";
import { Anchor, Button, Heading, EmailPage, Row, Quotation, Sentence, Small } from "./email-components.tsx";

/** Renders the HTML of an email. The HTML loads nothing external, so that reading it is not tracked. */
export const renderEmailHtml = (content: EmailContent): Promise<string> =>
  render(<EmailTemplate {...content} />);

function EmailTemplate({
  language,
  community,
  subject,
  preheader,
  answerLine,
  parts,
  act,
  footer,
}: EmailContent) {
  return (
    <EmailPage language={language} title={subject} preheader={preheader}>
      {answerLine && (
        <Row>
          <Small>{answerLine}</Small>
        </Row>
      )}
      <Row style={{ fontWeight: 600 }}>
        <span dir="auto">{community}</span>
      </Row>
      <Row surface>
        {parts.map((part, index) => (
          <EmailPartContent key={index} part={part} language={language} />
        ))}
        {act && <Button href={act.link}>{act.button}</Button>}
        {act && <Small>{act.link}</Small>}
      </Row>
      {footer && (
        <Row>
          {footer.lines.map((line) => (
            <Small key={line}>{line}</Small>
          ))}
          {footer.links.length > 0 && (
            <Small>
              {footer.links.map(({ words, link }, index) => (
                <span key={link}>
                  {index > 0 && " · "}
                  <Anchor href={link}>{words}</Anchor>
                </span>
              ))}
            </Small>
          )}
        </Row>
      )}
    </EmailPage>
  );
}

function EmailPartContent({ part, language }: { part: EmailPart; language: string }) {
  const lang = "language" in part && part.language !== language ? part.language : undefined;
  if (part.kind === "sentence") return <Sentence>{part.text}</Sentence>;
  if (part.kind === "link")
    return (
      <Small>
        <Anchor href={part.link}>{part.words}</Anchor>
      </Small>
    );
  if (part.kind === "heading")
    return (
      <>
        <Heading link={part.link} lang={lang}>
          {part.text}
        </Heading>
        {part.note && <Small>{part.note}</Small>}
      </>
    );
  const head = (
    <>
      <strong lang={part.title && lang}>{part.by}</strong> ·{" "}
      {part.link ? <Anchor href={part.link}>{part.at}</Anchor> : part.at}
    </>
  );
  return (
    <Quotation head={head} direction={textDirection(language)} lang={lang}>
      {part.text}
    </Quotation>
  );
}
