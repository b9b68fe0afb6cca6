"""The client of the API. How it calls is in `transport`, and what it may call in `operations`."""

from .operations import Operations


class Client(Operations):
    """Calls the API with an API key.

    `base_url` is where the service is, without a path. Each operation is a method, and each list has another one
    (`iter_...`) that reads page after page. Methods raise `ApiError` and `ServiceConnectionError`.
    """
