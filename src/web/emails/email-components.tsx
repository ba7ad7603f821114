import type { CSSProperties, ReactNode } from "react";
import { textDirection } from "../i18n/locales.ts";

/**
 * Components of emails. Mail clients support little CSS: sizes and light colours are inline, and a style
 * sheet in the head replaces the colours in clients with dark mode.
 */
export const COLORS = {
  paper: "#faf8f4",
  surface: "#ffffff",
  ink: "#1e2227",
  quiet: "#5c6370",
  line: "#e4ded2",
  accent: "#0b6b5d",
};

const DARK_STYLES = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.paper{background:#15171b!important}.surface{background:#1d2025!important;border-color:#343940!important}
.ink,.ink a{color:#ece8e1!important}.quiet,.quiet a{color:#a5abb5!important}.line{border-color:#343940!important}
.ink a.button{background:#5cc8b5!important;color:#10201d!important}}`;

const FONT_FAMILY = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

type EmailPageProps = { language: string; title: string; preheader?: string; children: ReactNode };

/**
 * The frame of an email: one column in the direction of its language. It uses tables, since some mail
 * clients support no other layout.
 */
export function EmailPage({ language, title, preheader, children }: EmailPageProps) {
  const direction = textDirection(language);
  return (
    <html lang={language} dir={direction}>
      <head>
        <meta httpEquiv="Content-Type" content="text/html; charset=UTF-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: DARK_STYLES }} />
      </head>
      <body className="paper" style={{ margin: 0, padding: 0, background: COLORS.paper }}>
        {preheader && <Preheader>{preheader}</Preheader>}
        <table
          role="presentation"
          width="100%"
          cellPadding={0}
          cellSpacing={0}
          border={0}
          className="paper"
          style={{ background: COLORS.paper }}
        >
          <tbody>
            <tr>
              <td align="center" style={{ padding: "24px 12px" }}>
                <EmailColumn direction={direction}>{children}</EmailColumn>
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  );
}

const EmailColumn = ({ direction, children }: { direction: string; children: ReactNode }) => (
  <table
    role="presentation"
    width="100%"
    cellPadding={0}
    cellSpacing={0}
    border={0}
    dir={direction}
    style={{
      maxWidth: "580px",
      tableLayout: "fixed",
      overflowWrap: "anywhere",
      fontFamily: FONT_FAMILY,
      fontSize: "16px",
      lineHeight: "1.55",
      textAlign: startSide(direction),
    }}
  >
    <tbody>{children}</tbody>
  </table>
);

const startSide = (direction: string) => (direction === "rtl" ? "right" : "left");

/**
 * Text that mail lists show after the subject. It is hidden in the email; the padding keeps the email's
 * first words out of that preview.
 */
const Preheader = ({ children }: { children: string }) => (
  <div
    style={{ display: "none", overflow: "hidden", lineHeight: "1px", opacity: 0, maxHeight: 0, maxWidth: 0 }}
  >
    {`${children.slice(0, 150)}${"\u00a0\u200c".repeat(Math.max(0, 150 - children.length))}`}
  </div>
);

/** A row of the column; with `surface` it is part of the card behind the text. */
export const Row = ({
  surface = false,
  style,
  children,
}: {
  surface?: boolean;
  style?: CSSProperties;
  children: ReactNode;
}) => (
  <tr>
    <td
      className={surface ? "surface ink" : "quiet"}
      style={{
        padding: surface ? "24px 28px" : "12px 4px",
        color: surface ? COLORS.ink : COLORS.quiet,
        ...(surface && {
          background: COLORS.surface,
          border: `1px solid ${COLORS.line}`,
          borderRadius: "10px",
        }),
        ...style,
      }}
    >
      {children}
    </td>
  </tr>
);

/** A sentence that may contain user-written text, which keeps its own direction. */
export const Sentence = ({ children }: { children: string }) => (
  <p dir="auto" style={{ margin: "0 0 16px" }}>
    {children}
  </p>
);

export const Heading = ({ link, lang, children }: { link?: string; lang?: string; children: string }) => (
  <h2 dir="auto" lang={lang} style={{ margin: "20px 0 4px", fontSize: "18px", lineHeight: "1.35" }}>
    {link ? (
      <a href={link} className="ink" style={{ color: COLORS.ink }}>
        {children}
      </a>
    ) : (
      children
    )}
  </h2>
);

export const Small = ({ children }: { children: ReactNode }) => (
  <p
    dir="auto"
    className="quiet"
    style={{ margin: "0 0 8px", fontSize: "13px", color: COLORS.quiet, wordBreak: "break-word" }}
  >
    {children}
  </p>
);

export const Anchor = ({ href, children }: { href: string; children: string }) => (
  <a href={href} style={{ color: COLORS.quiet }}>
    {children}
  </a>
);

/** A quotation of what a person wrote, with a bar at the start of its lines. */
export const Quotation = ({
  head,
  direction,
  lang,
  children,
}: {
  head: ReactNode;
  direction: string;
  lang: string | undefined;
  children: string;
}) => (
  <table
    role="presentation"
    width="100%"
    cellPadding={0}
    cellSpacing={0}
    border={0}
    style={{ margin: "0 0 16px", tableLayout: "fixed" }}
  >
    <tbody>
      <tr>
        <td
          className="line ink"
          style={{
            [direction === "rtl" ? "borderRight" : "borderLeft"]: `3px solid ${COLORS.line}`,
            padding: "2px 14px",
            color: COLORS.ink,
          }}
        >
          <Small>{head}</Small>
          {children.split(/\n{2,}/).map((paragraph, index) => (
            <p key={index} dir="auto" lang={lang} style={{ margin: "0 0 8px", whiteSpace: "pre-line" }}>
              {paragraph}
            </p>
          ))}
        </td>
      </tr>
    </tbody>
  </table>
);

export const Button = ({ href, children }: { href: string; children: string }) => (
  <p style={{ margin: "20px 0 8px" }}>
    <a
      href={href}
      className="button"
      style={{
        display: "inline-block",
        padding: "11px 20px",
        borderRadius: "6px",
        background: COLORS.accent,
        color: "#ffffff",
        fontWeight: 600,
        textDecoration: "none",
      }}
    >
      {children}
    </a>
  </p>
);
