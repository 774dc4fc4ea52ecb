"use strict";

/* The slider that shows the effect of any threshold. Text reaches the page through textContent only. */
const data = JSON.parse(document.getElementById("data").textContent);
const slider = document.getElementById("threshold");
const status = document.getElementById("at-threshold");
const here = document.getElementById("here");

const percent = (share) => `${(share * 100).toFixed(1)}\u00a0%`;

function showThreshold() {
  const [threshold, opposites, others, lost, slips] = data.points[Number(slider.value)];
  const shown = String(Number(threshold.toFixed(4))).padEnd(4, "0");
  const words = [`At ${threshold === 1 ? "1.00" : shown}: ${percent(opposites)} of the opposites pass as duplicates, ${percent(lost)} of the paraphrases are lost.`];
  if (others !== null) words.push(`Of sentences that say something else ${percent(others)} pass.`);
  if (slips !== null) words.push(`Of sentences with a typing slip ${percent(slips)} are lost.`);
  status.textContent = words.join(" ");
  slider.setAttribute("aria-valuetext", words[0]);
  const x = ((threshold - data.low) / (data.high - data.low)) * 1000;
  here.setAttribute("d", `M${x.toFixed(1)} 0V300`);
}

if (data.points.length) {
  slider.max = String(data.points.length - 1);
  slider.value = String(data.start);
  slider.addEventListener("input", showThreshold);
  slider.parentElement.hidden = false;
  status.hidden = false;
  here.removeAttribute("visibility");
  showThreshold();
}
