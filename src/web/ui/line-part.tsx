import { type ComponentType, use } from "react";
import { PiecesContext } from "../pieces.ts";
import { useLocale } from "../words/index.ts";

type Facts = Record<string, unknown>;

/**
 * A line of a list that follows from its facts and the reader's language alone: `linePart("name", ({ row, here }) => …)`. The same lines
 * stand on page after page, so a server writes down what it has made of the same facts before, and a browser takes it up as if it
 * had just been made. Within it there are words and links; the router, the viewer and the time of day are not to be had.
 */
export function linePart<F extends Facts>(name: string, Inside: ComponentType<F>) {
  return function LinePart(facts: F) {
    const locale = useLocale();
    const pieces = use(PiecesContext);
    const inside = pieces?.part(`${name} ${locale} ${JSON.stringify(facts)}`, () => <Inside {...facts} />);
    if (inside !== undefined) return <li dangerouslySetInnerHTML={{ __html: inside }} />;
    return (
      <li>
        <Inside {...facts} />
      </li>
    );
  };
}
