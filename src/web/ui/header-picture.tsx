import { urls } from "../urls.ts";

/** Eight quiet landscapes, drawn for Kith, for whoever has no picture of their own above a profile or a group. */
export const GROUNDS = ["meadow", "dusk", "clay", "river", "plum", "straw", "moss", "slate"];
const groundOf = (style: string) => urls.ground(GROUNDS.includes(style) ? style : "meadow");

type Props = { headerId: string | null; style: string; alt?: string; className?: string };

/** The band above a profile or a group. Decoration unless it is a picture with a text of its own. */
export const HeaderPicture = ({ headerId, style, alt = "", className = "h-36" }: Props) => (
  <img
    src={headerId ? urls.picture(headerId) : groundOf(style)}
    alt={headerId ? alt : ""}
    width={1500}
    height={500}
    decoding="async"
    className={`ground w-full rounded-panel object-cover ${className}`}
  />
);
