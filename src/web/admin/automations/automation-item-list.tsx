import type { ReactNode } from "react";
import { Form } from "react-router";
import { ActionForm } from "../../people/action-form.tsx";
import { MoveButtons } from "../move-buttons.tsx";
import { Button, ButtonLink, Tag, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import type { AutomationData } from "./automation-page.tsx";
import { itemFormKind, itemKinds } from "./automation-form-fields.ts";
import { AutomationItemForm } from "./automation-item-form.tsx";
import { useItemKindLabels } from "./automation-labels.ts";

export type AutomationListItem = AutomationData["triggers"][number];
type ItemListProps = { data: AutomationData; list: string; items: AutomationListItem[]; empty: string };

/** A list of triggers or steps with their actions, nested lists, and a form to add one. */
export function AutomationItemList({ data, list, items, empty }: ItemListProps) {
  return (
    <>
      {items.length === 0 && <p className="py-2 text-small text-quiet">{empty}</p>}
      <ol className="border-t border-line empty:hidden">
        {items.map((item, n) => (
          <AutomationItemRow
            key={n}
            {...{ data, list, item }}
            place={`${list}.${n}`}
            last={n === items.length - 1}
          />
        ))}
      </ol>
      <AddItemForm data={data} list={list} />
    </>
  );
}

type ItemProps = {
  data: AutomationData;
  list: string;
  item: AutomationListItem;
  place: string;
  last: boolean;
};

function AutomationItemRow({ data, list, item, place, last }: ItemProps) {
  const t = useTranslate();
  const kind = useItemKindLabels()[itemFormKind(list, item.kind)];
  const title = item.name || kind;
  const open = data.open?.place === place;
  return (
    <li className="border-b border-line py-3" id={place}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="font-semibold break-words">
            <bdi>{title}</bdi> {item.name && <Tag>{kind}</Tag>}
          </p>
          <p className="font-mono text-small break-words text-quiet">
            <bdi dir="ltr">{item.summary}</bdi>
          </p>
          {item.id && (
            <p className="text-small break-words text-quiet">
              <bdi className="font-mono">{item.id}</bdi>
              {item.nextAt && (
                <>
                  {" · "}
                  <Rich text="Next <0></0>" parts={{ 0: <Time at={item.nextAt} /> }} />
                </>
              )}
            </p>
          )}
        </div>
        {data.open === null && <ItemActions {...{ data, title, place, last }} />}
      </div>
      {open && (
        <AutomationItemForm
          flow={data.flow}
          at={{ place, kind: item.kind }}
          item={data.open!.item}
          events={data.events}
          entities={data.entities}
        />
      )}
      {item.do && (
        <NestedItems words={item.otherwise ? t("If true") : t("For each")}>
          <AutomationItemList data={data} list={`${place}.do`} items={item.do} empty={t("No steps.")} />
        </NestedItems>
      )}
      {item.otherwise && (
        <NestedItems words={t("Else")}>
          <AutomationItemList
            data={data}
            list={`${place}.otherwise`}
            items={item.otherwise}
            empty={t("No steps.")}
          />
        </NestedItems>
      )}
    </li>
  );
}

const NestedItems = ({ words, children }: { words: string; children: ReactNode }) => (
  <div className="mt-3 ms-4 border-s border-line ps-4">
    <p className="text-small font-semibold">{words}</p>
    {children}
  </div>
);

function ItemActions({
  data: { flow },
  title,
  place,
  last,
}: Pick<ItemProps, "data" | "place" | "last"> & { title: string }) {
  const t = useTranslate();
  const fields = { place, version: String(flow.version) };
  // The label contains the position, since two steps may have the same name.
  const label = `${title} (${place})`;
  return (
    <div className="flex flex-wrap gap-2">
      <MoveButtons label={label} fields={fields} first={place.endsWith(".0")} last={last} />
      <ButtonLink to={urls.flow(flow.id, { at: place })} aria-label={t("Edit {label}", { label })}>
        {t("Edit")}
      </ButtonLink>
      <ActionForm
        intent="remove-item"
        fields={fields}
        kind="danger"
        busy="…"
        label={t("Remove {label}", { label })}
      >
        {t("Remove")}
      </ActionForm>
    </div>
  );
}

/** Form that only asks for the kind; the next page has the form of that kind. */
function AddItemForm({ data, list }: Pick<ItemListProps, "data" | "list">) {
  const t = useTranslate();
  const words = useItemKindLabels();
  const { open, flow, events, entities } = data;
  if (open?.list === list)
    return (
      <AutomationItemForm
        flow={flow}
        at={{ list, kind: open.kind }}
        item={{}}
        events={events}
        entities={entities}
      />
    );
  if (open !== null) return null;
  const label = list === "triggers" ? t("Add trigger") : t("Add step");
  return (
    <Form method="get" className="mt-3 flex flex-wrap items-end gap-2" aria-label={`${label} (${list})`}>
      <input type="hidden" name="add" value={list} />
      <KindSelect list={list} label={label} words={words} />
      <Button type="submit" aria-label={`${t("Add")}: ${label} (${list})`}>
        {t("Add")}
      </Button>
    </Form>
  );
}

function KindSelect({ list, label, words }: { list: string; label: string; words: Record<string, string> }) {
  // One page has several of these forms, so each needs its own id.
  const id = `kind-${list.replaceAll(".", "-")}`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} name="kind" className="input">
        {itemKinds(list).map((kind) => (
          <option key={kind} value={kind}>
            {words[itemFormKind(list, kind)]}
          </option>
        ))}
      </select>
    </div>
  );
}
