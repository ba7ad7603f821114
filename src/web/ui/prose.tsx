/** What somebody wrote: HTML that was made and cleaned when it was stored, and only that. */
export const Prose = ({ html, lang, className = "" }: { html: string; lang?: string; className?: string }) => (
  <div className={`prose ${className}`} lang={lang} dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
);
