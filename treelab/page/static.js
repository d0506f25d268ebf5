import { carried } from "./dom.js";
import { mount } from "./viewer.js";

mount(
  document.getElementById("page"), await carried(document.getElementById("data")), { keys: document, pageTools: true },
);
