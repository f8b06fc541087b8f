/**
 * The dialog of settings: shows the choices made, and hands on each new one. Loaded when somebody first opens it.
 * @import {Prefs} from './types.d.ts'
 */

/** @param {HTMLDialogElement} dialog @param {Prefs} prefs @param {(some: Partial<Prefs>) => void} choose */
export function open(dialog, prefs, choose) {
  const form = /** @type {HTMLFormElement} */ (dialog.querySelector('#prefs'));
  for (const [name, value] of Object.entries({ lang: prefs.lang, theme: prefs.theme, speed: prefs.speed })) {
    const choice = form.querySelector(`[name=${name}][value=${value}]`);
    if (choice instanceof HTMLInputElement) choice.checked = true;
  }
  for (const [name, on] of Object.entries({ contrast: prefs.contrast === 'more', suits: prefs.suits === 'four', sound: prefs.sound, keys: prefs.keys, calls: prefs.calls })) {
    /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).checked = on;
  }
  form.onchange = () => choose(chosen(new FormData(form), prefs.lang));
  dialog.showModal();
}

/** @param {FormData} form @param {string} spoken @returns {Partial<Prefs>} */
const chosen = (form, spoken) => /** @type {Partial<Prefs>} */ ({
  ...Object.fromEntries(['theme', 'speed'].map((name) => [name, form.get(name)])),
  ...(form.get('lang') === spoken ? {} : { lang: form.get('lang') }),
  contrast: form.has('contrast') ? 'more' : 'auto', suits: form.has('suits') ? 'four' : 'two', sound: form.has('sound'), keys: form.has('keys'), calls: form.has('calls'),
});
