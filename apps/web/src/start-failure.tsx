/** Shown when not even the app's own configuration could be had; uses nothing that could fail as well. */
export const StartFailure = () => (
  <main className="start-failure" role="alert">
    <h1>Mailsweep could not start</h1>
    <p>Its web server did not answer. Check your network, then reload the page.</p>
    <button type="button" onClick={() => window.location.reload()}>
      Reload
    </button>
  </main>
);
