import type { Node } from "prosemirror-model";
import type { NodeViewConstructor } from "prosemirror-view";

/** Shows a list item; a task has a checkbox that can be used. */
export const createTaskView =
  (label: string): NodeViewConstructor =>
  (first, view, getPos) => {
    const dom = document.createElement("li");
    const isTask = ({ attrs }: Node) => attrs["checked"] !== null;
    if (!isTask(first))
      return { dom, contentDOM: dom, update: (node) => node.type === first.type && !isTask(node) };
    dom.className = "task";
    const box = document.createElement("input");
    box.type = "checkbox";
    box.checked = first.attrs["checked"] === true;
    box.contentEditable = "false";
    box.ariaLabel = label;
    box.addEventListener("change", () => {
      const at = getPos();
      if (at !== undefined && view.editable)
        view.dispatch(view.state.tr.setNodeAttribute(at, "checked", box.checked));
    });
    const contentDOM = document.createElement("div");
    dom.append(box, contentDOM);
    return {
      dom,
      contentDOM,
      update(node) {
        if (node.type !== first.type || !isTask(node)) return false;
        box.checked = node.attrs["checked"] === true;
        return true;
      },
      stopEvent: ({ target }) => target === box,
      ignoreMutation: ({ target }) => target === box,
    };
  };
