"use strict";
const body = document.querySelector("#live tbody");
const rows = (figures, prefix) => Object.entries(figures).flatMap(([name, value]) =>
  typeof value === "object" ? rows(value, name + " ") : [[prefix + name, value]]);
const show = async () => {
  const answer = await fetch("/live.json");
  const figures = rows(await answer.json(), "");
  body.replaceChildren(...figures.map(([name, value]) => {
    const row = document.createElement("tr");
    [name, value].forEach((text) => row.appendChild(document.createElement("td")).textContent = text);
    return row;
  }));
};
show();
setInterval(show, 1000);
